# Places of a tensor that are written while its memory is read: the same error compiled as eager.
import torch


def index_from_itself(x):
    x[x[:2]] = 5
    return x


def one_index_from_itself(x):
    x[x[2:3]] = 7
    return x


def computed(x):
    y = x * 2
    y[y[:2]] = 5
    return y


def whole(x):
    x[x] = 5
    return x


def source_from_itself(x):
    x[torch.tensor([0, 1])] = x[1:3]
    return x


def parts_of_rows(x):
    rows = x.view(2, 2)
    rows[torch.tensor([0]), torch.tensor([1])] = x[2:3]
    return rows


def behind_a_slice(x):
    rows = x.view(2, 2)
    rows[:, torch.tensor([0])] = rows[:, 1:]
    return rows


def one_element_where(x):
    x[x > 1] = x[2:3]
    return x


def rows_where(x):
    rows = x.view(2, 2)
    rows[torch.tensor([True, False])] = x[2:3]
    return rows


def list_of_places(x):
    x[[1, 0]] = x[:2]
    return x


def apart(x):
    x[x[:2].clone()] = 5
    y = x + 1
    y[x[:2] - x[:2]] = x[2:]
    return x, y


def masked(x):
    x.masked_fill_(x > 1, x[0])
    return x


for function in [index_from_itself, one_index_from_itself, computed, whole, source_from_itself,
                 parts_of_rows, behind_a_slice, one_element_where, rows_where, list_of_places,
                 apart, masked]:
    for call in range(3):
        x = torch.arange(4)
        try:
            print(function.__name__, function(x))
        except RuntimeError as error:
            print(function.__name__, str(error)[:95], x)
