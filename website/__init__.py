"""What makes the documentation site out of docs/, notebooks/, examples/ and bench/."""
