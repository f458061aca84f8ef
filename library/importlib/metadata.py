"""The versions of packages: of `torch`, which is the only one."""
import torch


class PackageNotFoundError(ModuleNotFoundError):
    def __str__(self):
        return f"No package metadata was found for {self.args[0]}"


def version(distribution_name):
    if distribution_name != "torch":
        raise PackageNotFoundError(distribution_name)
    return torch.__version__
