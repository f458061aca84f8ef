"""The usage of a parser: `usage: main.py [-h] [--lr LR] data [data ...]`, in lines that fit.

`of_actions` writes what the arguments look like, options before positionals; `in_lines` breaks it
between arguments where it is too long, each line under the first argument.
"""
from argparse._values import SUPPRESS


def _one(formatter, action, in_group):
    if not action.option_strings:
        default = formatter._get_default_metavar_for_positional(action)
        text = formatter._format_args(action, default)
        return text[1:-1] if in_group and text[:1] == "[" and text[-1:] == "]" else text
    if action.nargs == 0:
        text = action.format_usage()
    else:
        default = formatter._get_default_metavar_for_optional(action)
        text = f"{action.option_strings[0]} {formatter._format_args(action, default)}"
    return text if action.required or in_group else f"[{text.rstrip(' ')}]"


def _group_at(actions, at, groups):
    """The group whose arguments stand at `at`, all of them and in their order."""
    for group in groups:
        members = group._group_actions
        if actions[at:at + len(members)] == members:
            return group
    return None


def of_actions(formatter, actions, groups):
    for group in groups:
        if not group._group_actions:
            raise ValueError(f"empty group {group}")
    parts, at = [], 0
    while at < len(actions):
        group = _group_at(actions, at, groups)
        if group is None:
            shown = [actions[at]] if actions[at].help is not SUPPRESS else []
            parts.extend([_one(formatter, action, False) for action in shown])
            at += 1
            continue
        shown = [_one(formatter, action, True) for action in group._group_actions
                 if action.help is not SUPPRESS]
        text = " | ".join(shown)
        if shown and not group.required:
            text = f"[{text}]"
        elif len(shown) > 1:
            text = f"({text})"
        parts.append(text)
        at += len(group._group_actions)
    return " ".join([part for part in parts if part])


def _parts(text):
    """What is not broken: a word, or all between brackets."""
    parts, at = [], 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        close = {"[": "]", "(": ")"}.get(text[at])
        end = at + 1
        if close is not None:
            while end < len(text) and (text + " ")[end:end + 2] != close + " ":
                end += 1
            end = end + 1 if end < len(text) else at + 1
        if end == at + 1:
            while end < len(text) and text[end] != " ":
                end += 1
        parts.append(text[at:end])
        at = end
    return parts


def _filled(parts, width, indent, first_size):
    """Lines of parts; the first one begins behind `first_size` letters that are not in it."""
    lines, line, size = [], [], first_size - 1
    for part in parts:
        if line and size + 1 + len(part) > width:
            lines.append(indent + " ".join(line))
            line, size = [], len(indent) - 1
        line.append(part)
        size += len(part) + 1
    if line:
        lines.append(indent + " ".join(line))
    return lines


def in_lines(formatter, program, actions, groups, prefix):
    width = formatter._width - formatter._current_indent
    optionals = [action for action in actions if action.option_strings]
    positionals = [action for action in actions if not action.option_strings]
    whole = of_actions(formatter, optionals + positionals, groups)
    usage = f"{program} {whole}" if whole else program
    if len(prefix) + len(usage) <= width:
        return usage
    options = _parts(of_actions(formatter, optionals, groups))
    others = _parts(of_actions(formatter, positionals, groups))
    if len(prefix) + len(program) <= 0.75 * width:
        indent = " " * (len(prefix) + len(program) + 1)
        first = [program] + (options or others)
        lines = _filled(first, width, indent, len(prefix))
        lines[0] = lines[0][len(indent):]
        if options:
            lines.extend(_filled(others, width, indent, len(indent)))
        return "\n".join(lines)
    indent = " " * len(prefix)
    lines = _filled(options + others, width, indent, len(indent))
    if len(lines) > 1:
        lines = _filled(options, width, indent, len(indent))
        lines.extend(_filled(others, width, indent, len(indent)))
    return "\n".join([program] + lines)
