"""What Scripts/bench is made of."""
