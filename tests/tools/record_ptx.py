"""Records tests/ptx/NAME.ptx from tests/ptx/NAME.cu, by NVRTC; the tests only read the records.

    python3 tests/tools/record_ptx.py [--arch compute_80] [NAME ...]

NVRTC and the headers of the 16-bit types are those of the PyPI packages `nvidia-cuda-nvrtc` and
`nvidia-cuda-runtime`: run this with a Python that has them.
"""
import argparse
import ctypes
import pathlib
import re
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent.parent / "ptx"


def toolkit() -> pathlib.Path:
    packages = pathlib.Path(sysconfig.get_paths()["purelib"]) / "nvidia"
    found = sorted(packages.glob("cu*/lib/libnvrtc.so.*")) + sorted(
        packages.glob("cuda_nvrtc/lib/libnvrtc.so.*"))
    if not found:
        sys.exit(f"no libnvrtc under {packages}: install nvidia-cuda-nvrtc")
    return found[0].parent.parent


def compile_ptx(nvrtc: ctypes.CDLL, root: pathlib.Path, source: pathlib.Path, arch: str) -> str:
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.read_bytes(), source.name.encode(), 0,
                             None, None)
    options = [f"--gpu-architecture={arch}", "-lineinfo", "--std=c++17", f"-I{root}/include",
               "--fmad=false"]
    array = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = nvrtc.nvrtcCompileProgram(program, len(options), array)
    size = ctypes.c_size_t()
    if status != 0:
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(log.value.decode())
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return text.value.decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", default="compute_80")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    root = toolkit()
    nvrtc = ctypes.CDLL(str(sorted((root / "lib").glob("libnvrtc.so.*"))[0]))
    for source in sorted(HERE.glob("*.cu")):
        if arguments.names and source.stem not in arguments.names:
            continue
        text = compile_ptx(nvrtc, root, source, arguments.arch)
        # Debug sections hold paths and nothing that the simulator reads; the header names a build.
        text = text[:text.find("\t.section\t.debug")] if "\t.section\t.debug" in text else text
        text = re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", text)
        lines = [line for line in text.splitlines() if not line.startswith("//")]
        source.with_suffix(".ptx").write_text("\n".join(lines).strip() + "\n")
        print(f"{source.stem}.ptx: {len(lines)} lines")


if __name__ == "__main__":
    main()
