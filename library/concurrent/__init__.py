"""What runs beside something else: `concurrent.futures`."""
