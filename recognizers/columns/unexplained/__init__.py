"""What is a column of which no rule knows the header? Its values tell, or nobody."""
