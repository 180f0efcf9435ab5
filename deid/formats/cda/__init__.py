"""C-CDA and eICR documents."""
