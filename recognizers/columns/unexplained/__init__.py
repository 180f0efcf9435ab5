"""What is a column of which no rule knows the header? Its unit and its values tell, or nobody."""
