"""Reads each *.xml below a folder with expat and writes what it finds to a file of the same number in another folder.

A line is an element, an attribute, a text or an end; a file that is no XML has the line "refused"."""
import pathlib
import sys
from xml.parsers import expat


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def events(content):
    lines, text = [], []
    parser = expat.ParserCreate()
    parser.ordered_attributes = True

    def flush():
        if text:
            lines.append("#" + escaped("".join(text)))
            text.clear()

    def start(name, attributes):
        flush()
        lines.append(f"<{name} {parser.CurrentByteIndex}")
        lines.extend(f"@{n}={escaped(v)}" for n, v in zip(attributes[::2], attributes[1::2]))

    def end(_):
        flush()
        lines.append(">")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text.append
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError):
        return "refused"
    return "\n".join(lines)


source, target = map(pathlib.Path, sys.argv[1:])
for number, file in enumerate(sorted(source.rglob("*.xml"), key=str)):
    (target / str(number)).write_text(f"{file.relative_to(source)}\n{events(file.read_bytes())}", newline="")
