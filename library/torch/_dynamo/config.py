"""Settings of capture, read at each compile.

    import torch._dynamo.config
    torch._dynamo.config.recompile_limit = 16
"""

# How many sets of guards a function is compiled for before it runs eagerly.
recompile_limit = 8
# A backend that raises costs a warning instead of an exception; the graph runs eagerly.
suppress_errors = False
