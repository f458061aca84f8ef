"""What Glint has beside PyTorch's API."""
import _glint_report


def report(function, *arguments, **keywords):
    """Calls a function under torch.compile and writes a page that shows all that was made of it.

        glint.report(f, x, "out.html")

    The page's path stands behind the function's arguments. Gives what the function gave.
    """
    import torch

    if not arguments or not isinstance(arguments[-1], str):
        raise TypeError("report() needs the path of the page behind the function's arguments")
    path = arguments[-1]
    result = torch.compile(function)(*arguments[:-1], **keywords)
    with open(path, "w") as page:
        page.write(_glint_report.page(function))
    return result
