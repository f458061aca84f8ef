# glint only
# Axes that share their ends, words in a plot, the one setting there is, and what is not there.
import matplotlib
import matplotlib.pyplot as plt

plt.rcParams["figure.figsize"] = (8, 3)
figure, (left, right) = plt.subplots(1, 2, sharex=True, sharey=True)
print(figure)
left.plot([0, 10], [0, 1])
right.plot([0, 1], [5, 6])
print(left.get_xlim() == right.get_xlim(), left.get_ylim() == right.get_ylim(), left.get_xlim())
right.set_xlim(0, 3)
print(left.get_xlim())
right.clear()
print(left.get_ylim())
left.text(1, 0.5, "this & that", ha="center", color="red")
left.annotate("low", xy=(0, 0), xytext=(2, 0.8), arrowprops=dict(arrowstyle="->"))
left.legend(["line"])
print("this &amp; that" in figure.svg())
plt.show()

figure, axes = plt.subplots(2, 2, sharex="col", sharey="row")
axes[0, 0].plot([0, 5, 9])
print(axes[0, 0].get_xlim() == axes[1, 0].get_xlim(), axes[0, 0].get_xlim() == axes[0, 1].get_xlim())
print(axes[0, 0].get_ylim() == axes[0, 1].get_ylim(), axes[0, 0].get_ylim() == axes[1, 0].get_ylim())

for refused in (
    lambda: matplotlib.rcParams.update({"font.size": 3}),
    lambda: left.text(0, 0, "x", transform=1),
    lambda: left.text(0, 0, "x", ha="up"),
    lambda: left.annotate("x", (0, 0), xycoords="axes fraction"),
    lambda: plt.subplots(2, sharex="some"),
    lambda: plt.colorbar(),
    lambda: left.twinx(),
):
    try:
        refused()
    except Exception as error:
        print(type(error).__name__, error)
