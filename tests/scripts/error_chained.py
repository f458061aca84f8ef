# raise ... from: both tracebacks, with the sentence between them.
class ConfigError(Exception):
    pass


def load(table, key):
    try:
        return table[key]
    except KeyError as error:
        raise ConfigError(f"no setting {key}") from error


load({"a": 1}, "b")
