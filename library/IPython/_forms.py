"""Texts and bytes that are more than that, by what they are: HTML, Markdown, a picture.

    HTML("<b>bold</b>")._repr_html_()       the text itself
    Image("loss.png")._repr_png_()          the file's bytes

`filename=` reads a file; so does a first argument of `Image` that ends as a picture's name does.
"""
from html import escape


class DisplayObject:
    """What shows something that was given as `data`, or as a file's name."""

    _mode = "r"

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if url is not None:
            raise NotImplementedError(f"{type(self).__name__}(url=...) is not there: nothing is fetched; pass the data")
        self.data = data
        self.filename = filename
        self.metadata = metadata or {}
        self.reload()

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"

    def reload(self):
        """Reads the file again."""
        if self.filename is not None:
            with open(self.filename, self._mode) as file:
                self.data = file.read()


class TextDisplayObject(DisplayObject):
    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if data is not None and not isinstance(data, str):
            raise TypeError(f"{type(self).__name__} expects text, not {data!r}")
        super().__init__(data, url, filename, metadata)


class Pretty(TextDisplayObject):
    def _repr_mimebundle_(self):
        return {"text/plain": self.data}


class HTML(TextDisplayObject):
    def _repr_html_(self):
        return self.data


class Markdown(TextDisplayObject):
    def _repr_markdown_(self):
        return self.data


class SVG(TextDisplayObject):
    def _repr_svg_(self):
        begin = self.data.find("<svg")  # behind what a file may begin with
        return self.data[max(begin, 0) :]


class Latex(TextDisplayObject):
    def _repr_latex_(self):
        return self.data


class Math(TextDisplayObject):
    def _repr_latex_(self):
        return f"$\\displaystyle {self.data.strip('$')}$"


class Javascript(TextDisplayObject):
    def _repr_javascript_(self):
        return self.data


class JSON(DisplayObject):
    """A dict or a list."""

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None, root="root", **kwargs):
        super().__init__(data, url, filename, metadata)
        if isinstance(self.data, str):
            import json

            self.data = json.loads(self.data)

    def _repr_json_(self):
        return self.data


class Code(TextDisplayObject):
    def __init__(self, data=None, url=None, filename=None, language=None):
        self.language = language
        super().__init__(data, url, filename)

    def __repr__(self):
        return self.data

    def _repr_html_(self):
        return f"<pre><code>{escape(self.data)}</code></pre>"


class Image(DisplayObject):
    """A picture's bytes, a file's name, or an address that the front end fetches."""

    _mode = "rb"
    _TYPES = {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
    _MAGIC = ((b"\x89PNG", "png"), (b"\xff\xd8", "jpeg"), (b"GIF8", "gif"), (b"RIFF", "webp"))

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None, alt=None):
        if isinstance(data, str):
            is_address = data.startswith(("http:", "https:", "data:"))
            data, url, filename = None, data if is_address else url, filename if is_address else data
        self.url, self.width, self.height, self.alt = url, width, height, alt
        super().__init__(data, None, filename)
        if self.data is None and url is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        self.format = (format or self._found_format()).lower().replace("jpg", "jpeg")
        if url is None and self.format not in self._TYPES:
            raise ValueError(f"Cannot embed the '{self.format}' image format")

    def _found_format(self):
        for begin, format in self._MAGIC:
            if self.data is not None and self.data.startswith(begin):
                return format
        return (self.filename or ".png").split(".")[-1]

    def _repr_mimebundle_(self):
        if self.url is not None:
            return {"text/html": self._tag(self.url)}
        type = self._TYPES[self.format]
        if self.width is None and self.height is None:
            return {type: self.data}
        import _glint_display

        coded = _glint_display.base64(self.data)
        return {type: coded, "text/html": self._tag(f"data:{type};base64,{coded}")}

    def _tag(self, source):
        given = {"src": source, "width": self.width, "height": self.height, "alt": self.alt}
        words = [f'{name}="{escape(str(value))}"' for name, value in given.items() if value is not None]
        return f"<img {' '.join(words)}/>"
