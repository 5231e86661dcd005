"""What the console is measured against."""
