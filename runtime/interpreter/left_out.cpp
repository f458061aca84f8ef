#include "runtime/interpreter/left_out.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::runtime {
namespace {

/// Modules, or names in them, and all that is inside them.
struct LeftOut {
  std::string_view names;  ///< several with a space between them
  std::string_view instead;
};

constexpr std::string_view kNoThreads = "a script runs in one thread, kernels in several";
constexpr std::string_view kOneProcess = "a script runs in one process, on one machine";
constexpr std::string_view kNoPackages = "packages from outside are not read, `torch` is built in";
constexpr std::string_view kNoNetwork = "scripts use no network";
constexpr std::string_view kNoArchives = "scripts read and write plain files";
constexpr std::string_view kNoWindows = "scripts read from `input` and write with `print`";
constexpr std::string_view kNotYet = "it is not there yet";

constexpr LeftOut kLeftOut[] = {
    // Builtins, and CPython's library.
    {"builtins.BaseExceptionGroup builtins.ExceptionGroup", "raise one error with notes"},
    {"builtins.aiter builtins.anext", "use plain functions and generators"},
    {"builtins.breakpoint", "use the REPL, `glint -i`"},
    {"builtins.bytearray builtins.memoryview", "use `bytes`, or a list of ints"},
    {"aifc audioop chunk imghdr sndhdr sunau wave", kNoArchives},
    {"asyncio", "use plain functions and generators"},
    {"bz2 lzma tarfile zipapp zipfile zipimport", kNoArchives},
    {"cProfile profile pstats", "use `glint bench` or `torch.profiler`"},
    {"calendar", "use `datetime`"},
    {"cgi cgitb email ftplib http imaplib ipaddress mailbox mailcap mimetypes netrc nntplib "
     "poplib select selectors smtpd smtplib socket socketserver ssl telnetlib urllib webbrowser "
     "wsgiref xmlrpc",
     kNoNetwork},
    {"cmd code codeop readline rlcompleter", "the REPL is `glint` itself"},
    {"codecs.BufferedIncrementalDecoder codecs.BufferedIncrementalEncoder codecs.Codec "
     "codecs.EncodedFile "
     "codecs.IncrementalDecoder codecs.IncrementalEncoder codecs.StreamReader "
     "codecs.StreamReaderWriter codecs.StreamRecoder codecs.StreamWriter "
     "codecs.getincrementaldecoder "
     "codecs.getincrementalencoder codecs.getreader codecs.getwriter codecs.iterdecode "
     "codecs.iterencode codecs.register codecs.register_error codecs.unregister",
     "use `str.encode`, `bytes.decode` and `open` with an encoding"},
    {"colorsys", "compute with floats"},
    {"concurrent.futures.ProcessPoolExecutor concurrent.futures.process concurrent.futures.thread",
     "a script runs in one process; use `concurrent.futures.ThreadPoolExecutor`"},
    {"configparser.ConverterMapping configparser.LegacyInterpolation "
     "configparser.SafeConfigParser",
     "use `configparser.ConfigParser`"},
    {"plistlib tomllib xml", "use `json`"},
    {"crypt distutils ensurepip lib2to3 site venv", "packages are not installed"},
    {"ctypes", "scripts cannot call C"},
    {"curses termios tkinter tty turtle", kNoWindows},
    {"dbm shelve sqlite3", "use `json` or `pickle`"},
    {"decimal", "use int or float"},
    {"difflib.Differ difflib.HtmlDiff difflib.diff_bytes difflib.ndiff difflib.restore",
     "use `difflib.unified_diff` or `context_diff`"},
    {"compileall dis marshal modulefinder opcode pickletools py_compile pyclbr symtable sysconfig "
     "token tokenize",
     "`glint show` shows what a script is lowered to"},
    {"doctest unittest", "use `assert`"},
    {"faulthandler tracemalloc", "errors show their place, `:memory` shows what tensors take"},
    {"fcntl grp pty pwd resource select syslog", "use `os` and `platform`"},
    {"filecmp fileinput linecache mmap", "use `open`, or `numpy.memmap` for numbers"},
    {"getopt optparse", "use `argparse`"},
    {"gettext", "texts are written as they are"},
    {"locale.currency locale.nl_langinfo locale.textdomain", "texts are written as they are"},
    {"graphlib", "use a list of what waits for what"},
    {"hashlib.algorithms_guaranteed hashlib.blake2b hashlib.blake2s hashlib.pbkdf2_hmac "
     "hashlib.scrypt "
     "hashlib.sha3_224 hashlib.sha3_256 hashlib.sha3_384 hashlib.sha3_512 hashlib.shake_128 "
     "hashlib.shake_256",
     "use `hashlib.sha256` or `sha512`"},
    {"imp pkgutil runpy zipimport", "use `importlib`"},
    {"keyword", "use a set of words"},
    {"logging.config", "use `logging.basicConfig`"},
    {"logging.handlers", "use `logging.FileHandler` or a subclass of `logging.Handler`"},
    {"multiprocessing", kNoThreads},
    {"pdb bdb trace", "use the REPL, `glint -i`"},
    {"posix posixpath ntpath genericpath stat", "use `os` and `os.path`"},
    {"pydoc", "use `help`, or `glint doc`"},
    {"quopri uu xdrlib", "use `base64`"},
    {"reprlib", "use `repr` and a slice"},
    {"sched", kNoThreads},
    {"secrets.SystemRandom", "use `secrets.choice` and `randbelow`"},
    {"shlex", "use `str.split`"},
    {"signal", "catch `KeyboardInterrupt`"},
    {"subprocess", "scripts start no programs"},
    {"threading.Timer", "call `time.sleep`, then the function: threads run when they are started"},
    {"threading.getprofile threading.gettrace threading.setprofile threading.settrace "
     "threading.stack_size",
     kNoThreads},
    {"weakref.CallableProxyType weakref.ProxyType weakref.ProxyTypes weakref.proxy",
     "use `weakref.ref`"},
    {"zlib.compressobj zlib.decompressobj",
     "use `zlib.compress` and `decompress` of all the data, or `gzip.open`"},
    {"zoneinfo", "use `datetime.timezone`"},

    // Of packages.
    {"PIL cv2 imageio skimage",
     "packages from outside are not read; load pixels with `numpy.load`"},
    {"accelerate bitsandbytes datasets deepspeed diffusers gym gymnasium huggingface_hub "
     "lightning nltk optuna peft pytorch_lightning ray sentencepiece spacy tiktoken timm "
     "tokenizers torch_geometric torchmetrics transformers xformers",
     kNoPackages},
    {"click fire omegaconf hydra", "packages from outside are not read; use `argparse`"},
    {"cupy jax numba tensorflow triton", kNoPackages},
    {"einops", "packages from outside are not read; use `reshape`, `permute` and `torch.einsum`"},
    {"h5py onnx onnxruntime safetensors", "packages from outside are not read; use `torch.save`"},
    {"joblib psutil requests tabulate termcolor colorama rich", kNoPackages},
    {"networkx pandas polars scipy sklearn statsmodels sympy", kNoPackages},
    {"plotly seaborn torchviz", "packages from outside are not read; use `matplotlib.pyplot`"},
    {"pytest", "use `assert`"},
    {"tensorboard tensorboardX wandb mlflow", "packages from outside are not read; use `logging`"},
    {"torchaudio torchtext torchvision",
     "packages from outside are not read; a `Dataset` of files is "
     "a class of the script's"},
    {"torchinfo torchsummary", "packages from outside are not read; use `print(model)`"},
    {"yaml toml", "packages from outside are not read; use `json`"},

    // Of PyTorch.
    {"torch.cholesky", "PyTorch has removed it, use `torch.linalg.cholesky`"},
    {"torch.distributed.fsdp torch.distributed.rpc", kOneProcess},
    {"torch.hub", kNoPackages},
    {"torch.jit.ScriptModule torch.jit.freeze torch.jit.fork torch.jit.load "
     "torch.jit.optimize_for_inference "
     "torch.jit.save torch.jit.trace torch.jit.trace_module torch.jit.wait",
     "use `torch.compile`"},
    {"torch.multiprocessing", kNoThreads},
    {"torch.optim.SparseAdam", "gradients are dense here, use `torch.optim.Adam`"},
    {"torch.qr", "PyTorch has removed it, use `torch.linalg.qr`"},
    {"torch.eig torch.symeig", "PyTorch has removed it, use `torch.linalg.eigh`"},
    {"torch.lstsq", "PyTorch has removed it, use `torch.linalg.lstsq`"},
    {"torch.lu", "use `torch.linalg.lu_factor`"},
    {"torch.matrix_rank", "PyTorch has removed it, use `torch.linalg.matrix_rank`"},
    {"torch.solve", "PyTorch has removed it, use `torch.linalg.solve`"},
    {"torch.cuda.CUDAGraph torch.cuda.graph torch.cuda.make_graphed_callables",
     "use `torch.compile(mode='reduce-overhead')`"},
    {"torch.fx.Tracer torch.fx.Transformer torch.fx.passes torch.fx.replace_pattern "
     "torch.fx.symbolic_trace torch.fx.wrap",
     "a backend given to `torch.compile` sees graphs"},
    {"torch._inductor torch.ao torch.autograd.forward_ad torch.autograd.graph "
     "torch.autograd.profiler torch.cpu torch.export torch.fake_quantize_per_tensor_affine "
     "torch.float8_e4m3fn torch.float8_e5m2 torch.frombuffer torch.from_dlpack "
     "torch.func.functionalize torch.futures "
     "torch.geqrf torch.library torch.linalg.eig torch.linalg.eigvals torch.lobpcg "
     "torch.masked torch.monitor torch.mps torch.mtia torch.nested "
     "torch.nn.attention.flex_attention torch.nn.quantized torch.onnx torch.ops torch.ormqr "
     "torch.overrides torch.package torch.pca_lowrank torch.qint8 torch.quantization "
     "torch.quantize_per_tensor torch.quint8 torch.segment_reduce torch.signal "
     "torch.sparse_bsc_tensor torch.sparse_bsr_tensor torch.sparse_compressed_tensor "
     "torch.sparse_csc_tensor torch.sparse_csr_tensor torch.sparse.sampled_addmm "
     "torch.svd_lowrank torch.testing.make_tensor torch.uint16 torch.uint32 "
     "torch.uint64 torch.utils.collect_env torch.utils.dlpack "
     "torch.utils.flop_counter torch.utils.model_zoo torch.xpu",
     kNotYet},
    {"torch.utils.cpp_extension", "scripts cannot call C"},
    {"torch.utils.tensorboard", "use `logging`"},
};

/// Whether a name is one of those, or inside of one.
bool is_inside(std::string_view module, std::string_view names) {
  while (!names.empty()) {
    size_t end = std::min(names.find(' '), names.size());
    std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    if (module.starts_with(name) && (module.size() == name.size() || module[name.size()] == '.'))
      return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> left_out_hint(std::string_view module) {
  for (const LeftOut& each : kLeftOut) {
    if (!is_inside(module, each.names)) continue;
    bool torchs = module.starts_with("torch.");
    return fmt::format("; {}{}", torchs ? "" : "it is not part of the language: ", each.instead);
  }
  return std::nullopt;
}

}  // namespace glint::runtime
