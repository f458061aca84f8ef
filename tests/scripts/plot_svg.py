# glint only
# Pictures: texts of the script's are escaped, and many points are a few thousand.
import glint
import matplotlib.pyplot as plt
import torch

EVIL = "<script>alert('\"&')</script>"


def told(svg):
    """What matters of a picture: its tags, counted, and whether a text came through as it is."""
    tags = {}
    for part in svg.split("<")[1:]:
        name = part.split()[0].split(">")[0]
        if not name.startswith("/"):
            tags[name] = tags.get(name, 0) + 1
    return tags, "<script" in svg, svg.count(",")


plt.title(EVIL)
plt.xlabel(EVIL)
plt.ylabel(EVIL)
plt.plot([1, 2], label=EVIL)
plt.bar([EVIL, "b"], [1, 2])
plt.xticks([0, 1], [EVIL, EVIL])
plt.suptitle(EVIL)
plt.legend()
print(told(plt.gcf().svg())[:2])
plt.close()

torch.manual_seed(0)
many = torch.randn(200_000).cumsum(0)
tags, _, corners = told(glint.plot(many).svg())
print(tags["polyline"], 1000 < corners < 3000)
plt.scatter(many[:100_000], many[:100_000])
print(1000 < told(plt.gcf().svg())[0]["circle"] <= 2000)
plt.close()
plt.imshow(torch.rand(1000, 500))
print(told(plt.gcf().svg())[0]["image"], len(plt.gcf().svg()) < 400_000)
plt.close()
plt.imshow(torch.tensor([[[255, 0, 0], [0, 255, 0]]]))
print(plt.gcf().svg().split("base64,")[1].split('"')[0])
plt.close()
for draw in (
    lambda: plt.plot([1, float("nan"), 2, 3], "g-.", alpha=0.5, linewidth=3),
    lambda: plt.plot([1, 2, 3], "C1s"),
    lambda: plt.scatter([1, 2], [3, 4], c=["r", (0, 0, 1)], s=[10, 90]),
    lambda: plt.axhline(float("nan")),
    lambda: plt.loglog([0, 1, 10], [-1, 1, 10]),
    lambda: plt.hist([]),
    lambda: plt.bar([1], [float("nan")]),
):
    draw()
    print(told(plt.gcf().svg()))
    plt.close()
plt.plot([1, 2])
import os

name = f"/tmp/glint_plot_{os.getpid()}.svg"
plt.savefig(name)
with open(name) as file:
    print(file.read() == plt.gcf().svg())
os.remove(name)
