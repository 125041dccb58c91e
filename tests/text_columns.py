"""Reads a page with texts in columns, and the marks in them."""

from html_reader import Reader


class Columns(Reader):
    """Also the text of each narrative, letter by letter with the classes and ids it lies in."""

    def __init__(self, page):
        self.columns, self.inside_marks, self.in_text = [], [], False
        super().__init__(page)

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        values = dict(attrs)
        if tag == "div" and values.get("class") == "text":
            self.columns.append([])
            self.in_text = True
        elif tag in ("span", "mark"):
            names = {*values.get("class", "").split(), values.get("id"), values.get("data-key")}
            self.inside_marks.append(names)

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        if tag in ("span", "mark"):
            self.inside_marks.pop()
        elif tag == "div":
            self.in_text = False

    def handle_data(self, data):
        super().handle_data(data)
        if self.in_text:
            names = set().union(*self.inside_marks) if self.inside_marks else set()
            keys = [key for marks in self.inside_marks for key in marks]
            self.columns[-1] += [(one, names, keys) for one in data]

    def texts(self):
        return ["".join(one for one, *_ in column) for column in self.columns]

    def marked(self, column, *wanted):
        """The letters in marks with all these classes, ids or keys, each run as one text."""
        runs, before = [], False
        for one, names, _ in self.columns[column]:
            now = set(wanted) <= names
            if now:
                runs += [] if before else [""]
                runs[-1] += one
            before = now
        return runs

    def linked(self, item):
        """The letters that the evidence of an item leads to, by narrative."""
        at = self.found.index(next(one for one in self.found if one[1].get("id") == item))
        later = self.found[at + 1 :]
        ends = [n for n, (_, attrs) in enumerate(later) if "item" in attrs.get("class", "").split()]
        part = later[: ends[0] if ends else None]
        places = [attrs["href"][1:] for _, attrs in part if attrs.get("href", "").startswith("#t")]
        return {int(name[1 : name.index("-")]): self.marked(int(name[1]), name) for name in places}
