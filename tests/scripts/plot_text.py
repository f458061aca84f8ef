# glint only
# Plots as text, and what they say of input that cannot be drawn.
import glint
import torch
import matplotlib.pyplot as plt

print(glint.plot([1, 4, 2, 8]))
xs = torch.linspace(0, 6, 60, requires_grad=True)
print(glint.plot(xs, torch.sin(xs), label="sin <x>", title="a wave", x_label="x", y_label="y"))
print(glint.plot({"a": [1, 10, 100], "b": [100, 10, 1]}, y_scale="log"))
print(glint.plot(torch.tensor([[1.0, 4.0], [2.0, 3.0]]), label=["first", "second"]))

for odd in ([], [3], [5, 5, 5], [1, float("nan"), 2, float("inf"), 3, 4], [None, 1, 2], range(3), [torch.tensor([2.0]), 1, True]):
    print("--", odd)
    print(glint.plot(odd).text(30, 5))

plt.plot([1, 2, 3], [3, 1, 2], "r--o", label="a & b")
plt.plot([0.5, 1.5, 2.0])
plt.axhline(1.5, color="k", ls=":")
plt.axvline(1)
plt.title("title")
plt.xlabel("x")
plt.ylabel("loss")
plt.legend()
plt.show()
plt.show()  # nothing is open

figure, axes = plt.subplots(2, 2, figsize=(8, 6))
counts, edges, bars = axes[0, 0].hist([0, 1, 1, 2, 2, 2, 3], bins=3)
print(counts, edges, axes.shape, len(axes.flat), figure)
axes[0, 1].imshow(torch.arange(12).reshape(3, 4), cmap="gray")
axes[1][0].scatter([1, 2, 3], [4, 5, 6], c=[0, 1, 2], s=30)
axes[1, 1].bar(["a", "b", "c"], [3, 5, -2])
axes[1, 1].set(title="bars", xlabel="letter")
figure.suptitle("four")
plt.tight_layout()
plt.show()

(left, right) = plt.subplots(1, 2)[1]
left.barh([1, 2], [4, 5])
left.set_xlim(0, 10)
right.fill_between([0, 1, 2], [1, 2, 1], 0.5, alpha=0.3)
print(left.get_xlim(), right.get_ylim())
plt.show()
plt.imshow([[0, 1], [2, 3]], origin="lower", cmap="gray_r")
plt.show()
plt.semilogy([1, 10, 0, 1000])
plt.xticks([0, 3], ["begin", "end"])
plt.show()
print(plt.hist([1.0, 2.0], bins=[0, 1.5, 3], density=True)[0])
(line,) = plt.plot([1, 2], label="_hidden")
line.set_data([1, 2, 3], [4, 5, 6])
print(line.get_xdata(), line.get_label() == "", plt.gca().axis()[0] < 0)
plt.close("all")


def fails(function):
    try:
        function()
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


fails(lambda: plt.pie([1]))
fails(lambda: plt.gca().violinplot([1]))
fails(lambda: plt.gcf().colorbar())
fails(lambda: plt.savefig("a.png"))
fails(lambda: plt.savefig("a"))
fails(lambda: plt.plot([1, 2], [1]))
fails(lambda: plt.plot([1], "zz"))
fails(lambda: plt.plot([1], "rb"))
fails(lambda: plt.plot([1], color="nocolour"))
fails(lambda: plt.plot([1], marker="q"))
fails(lambda: plt.plot([1], linestyle="wavy"))
fails(lambda: plt.plot([1], thickness=3))
fails(lambda: plt.imshow([[1]], cmap="jet"))
fails(lambda: plt.imshow([[1], [1, 2]]))
fails(lambda: plt.yscale("cubic"))
fails(lambda: plt.subplot(2, 2, 5))
fails(lambda: plt.scatter([1, 2], [1, 2], c=[1, 2, 3]))
fails(lambda: glint.plot([1], [2], [3]))
fails(lambda: glint.plot("text"))
fails(lambda: glint.plot([[1, 2], [3, 4]]))

# A matrix with words at its rows and columns, points with words beside them.
import numpy as np

figure, axes = plt.subplots(figsize=(4, 3))
axes.matshow(np.array([[0.1, 0.9], [0.5, 0.2]]), cmap="viridis")
axes.set_xticklabels([""] + ["ein", "bier"], fontdict={"fontsize": 14}, rotation=90)
axes.set_yticklabels([""] + ["a", "beer"])
plt.show()
for word, (x, y) in {"cat": (0.5, 1.0), "dog": (np.float64(1.0), 0.0)}.items():
    plt.scatter(x, y)
    plt.annotate(word, xy=(x, y), xytext=(5, 2), textcoords="offset points", ha="right", va="bottom")
plt.show()
