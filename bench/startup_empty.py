# A script that does nothing: what starting costs.
