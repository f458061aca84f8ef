// What `display`, its handles and `clear_output` tell a front end.
#include <catch2/catch.hpp>

#include "core/support/base64.h"
#include "notebook/notebook.h"
#include "recorded_client.h"

namespace glint::notebook {
namespace {

struct Kernel {
  Notebook notebook{NotebookOptions{}};
  RecordedClient client;
  uint32_t cells = 0;

  ExecuteReply run(const std::string& code) {
    client = {};
    return notebook.execute({.code = code, .number = ++cells}, client);
  }
};

TEST_CASE("what is shown under a name is changed by its handle", "[notebook]") {
  Kernel kernel;
  kernel.run("h = display('a', display_id=True)\nh.update('b')\nh.display('c')");
  REQUIRE(kernel.client.shown.size() == 3);
  const std::vector<ShownAs>& as = kernel.client.shown_as;
  CHECK_FALSE(as[0].id.empty());
  CHECK(as[0].id == as[1].id);
  CHECK(as[0].id == as[2].id);
  CHECK((!as[0].updates && as[1].updates && !as[2].updates));
  CHECK(kernel.client.shown[1] == Forms{{"text/plain", "'b'"}});
  kernel.run("from IPython.display import update_display\nupdate_display(3, display_id='mine')");
  CHECK(kernel.client.shown_as[0].id == "mine");
  kernel.run("display(1, 2); g = display(display_id=True)\ng.display_id != h.display_id");
  REQUIRE(kernel.client.shown.size() == 3);
  CHECK(kernel.client.shown_as[0].id.empty());
  CHECK(kernel.client.shown[2].empty());
  CHECK(kernel.client.results[0].at("text/plain") == "True");
  CHECK(kernel.run("update_display(3, display_id=None)").raised->type == "TypeError");
}

TEST_CASE("clear_output asks the front end, behind what was printed", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "from IPython.display import clear_output, display as show\n"
      "print('a')\nclear_output()\nclear_output(wait=True)\nshow(1, clear=True)");
  CHECK(kernel.client.out == "a\n");
  CHECK(kernel.client.clears == std::vector<bool>{false, true, true});
}

TEST_CASE("the wrappers of IPython.display give their form", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "from IPython.display import *\n"
      "display(HTML('<b>'), Markdown('*'), SVG('<?xml?><svg/>'), JSON({'a': [1]}), Latex('$x$'),\n"
      "  Code('a < b'), Pretty('as it is'), Image(data=b'\\x89PNGx'), Math('x'))");
  const std::vector<Forms>& shown = kernel.client.shown;
  REQUIRE(shown.size() == 9);
  CHECK(shown[0].at("text/html") == "<b>");
  CHECK(shown[0].at("text/plain") == "<IPython.core.display.HTML object>");
  CHECK(shown[1].at("text/markdown") == "*");
  CHECK(shown[2].at("image/svg+xml") == "<svg/>");
  CHECK(shown[3].at("application/json") == R"({"a": [1]})");
  CHECK(shown[4].at("text/latex") == "$x$");
  CHECK(shown[5].at("text/html") == "<pre><code>a &lt; b</code></pre>");
  CHECK(shown[6] == Forms{{"text/plain", "as it is"}});
  CHECK(shown[7].at("image/png") == base64("\x89PNGx"));
  CHECK(shown[8].at("text/latex") == "$\\displaystyle x$");
  kernel.run("display({'text/plain': 'p', 'text/html': 'h'}, raw=True)");
  CHECK(kernel.client.shown[0] == Forms{{"text/plain", "p"}, {"text/html", "h"}});
  kernel.run("display(HTML('h'), include=['text/html'])");
  CHECK(kernel.client.shown[0] == Forms{{"text/html", "h"}});
  kernel.run("display(HTML('h'), exclude=['text/html'])");
  CHECK(kernel.client.shown[0].count("text/html") == 0);
}

TEST_CASE("a value may show itself, or give all its forms at once", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "class A:\n    def _repr_mimebundle_(self, include=None, exclude=None):\n"
      "        return {'text/html': 'h', 'application/vnd.x+json': {'a': 1}}, {}\n"
      "class B:\n    def _ipython_display_(self): print('shown')\n"
      "class C:\n    def _repr_mimebundle_(self): return 1 / 0\ndisplay(A(), B(), C())");
  REQUIRE(kernel.client.shown.size() == 2);
  CHECK(kernel.client.shown[0].at("text/html") == "h");
  CHECK(kernel.client.shown[0].at("application/vnd.x+json") == R"({"a": 1})");
  CHECK(kernel.client.shown[1].size() == 1);
  CHECK(kernel.client.out == "shown\n");
}

TEST_CASE("a bar is one display, which changes", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "from tqdm.auto import tqdm\nfor i in tqdm(range(3), desc='<a>', mininterval=0): pass");
  const std::vector<ShownAs>& as = kernel.client.shown_as;
  REQUIRE(as.size() >= 2);
  for (size_t i = 0; i < as.size(); ++i) {
    CHECK(as[i].id == as[0].id);
    CHECK(as[i].updates == (i > 0));
  }
  CHECK(kernel.client.error.empty());
  const Forms& last = kernel.client.shown.back();
  CHECK(last.at("text/plain").starts_with("<a>: 100%|██████████| 3/3 ["));
  CHECK(last.at("text/html").find("&lt;a&gt;") != std::string::npos);
  CHECK(last.at("text/html").find("value=\"1.0000\"") != std::string::npos);
  kernel.run("for i in tqdm(range(3), leave=False): pass");
  CHECK(kernel.client.shown.back().at("text/plain").empty());
}

TEST_CASE("open figures are shown at the end of a cell, also of one that raises", "[notebook]") {
  Kernel kernel;
  kernel.run("import matplotlib.pyplot as plt\nplt.plot([1, 2], label='<a>')\nplt.legend();");
  REQUIRE(kernel.client.shown.size() == 1);
  CHECK(kernel.client.shown[0].at("image/svg+xml").find("&lt;a&gt;") != std::string::npos);
  CHECK(kernel.client.shown[0].at("text/plain").find("* <a>") != std::string::npos);
  kernel.run("1");
  CHECK(kernel.client.shown.empty());
  kernel.run("plt.plot([1]); plt.show(); plt.plot([2]);");
  CHECK(kernel.client.shown.size() == 2);
  CHECK(kernel.run("plt.plot([1])\n1 / 0").raised->type == "ZeroDivisionError");
  CHECK(kernel.client.shown.size() == 1);
  kernel.run("figure = plt.figure(); plt.close(); figure.gca().plot([1]); figure");
  CHECK(kernel.client.shown.empty());
  CHECK(kernel.client.results[0].count("image/svg+xml") == 1);
  auto reply = kernel.run("line, = plt.plot([1])\nline._mark.ys = [object()]");
  CHECK(reply.raised->type == "TypeError");
  CHECK_FALSE(kernel.run("1").raised);
}

TEST_CASE("`%matplotlib inline` asks for nothing, other magics say that they are IPython's",
          "[notebook]") {
  Kernel kernel;
  CHECK_FALSE(kernel.run("%matplotlib inline\nx = 7\n%matplotlib\nx %2").raised);
  CHECK(kernel.client.results[0].at("text/plain") == "1");
  CHECK_FALSE(kernel.run("matplotlib = 4\ny = (9\n%matplotlib\n)\ny").raised);
  CHECK(kernel.client.results[0].at("text/plain") == "1");
  auto reply = kernel.run("x = 5\n%timeit 1\nx = 6");
  CHECK(reply.raised->type == "SyntaxError");
  CHECK(reply.raised->text.find("`%timeit` is a magic of IPython's") == 0);
  CHECK(kernel.run("%%time\nx").raised->text.find("`:bench CALL`") != std::string::npos);
  CHECK(kernel.run("!ls").raised->text.find("a shell's command") != std::string::npos);
  kernel.run("(9\n%x)");
  CHECK(kernel.client.results[0].at("text/plain") == "4");
  CHECK(kernel.notebook.is_complete("%matplotlib inline\n1").status == "complete");
}

TEST_CASE("glint.plot is a value with a picture", "[notebook]") {
  Kernel kernel;
  kernel.run("import glint\nglint.plot([1, 2], label='a')");
  CHECK(kernel.client.results[0].count("image/svg+xml") == 1);
  CHECK(kernel.client.results[0].at("text/plain").find("* a") != std::string::npos);
}

TEST_CASE("bytes become text three by three", "[support]") {
  CHECK(base64("") == "");
  CHECK(base64("M") == "TQ==");
  CHECK(base64("Ma") == "TWE=");
  CHECK(base64("Man") == "TWFu");
  CHECK(base64("\xff\xfe") == "//4=");
}

}  // namespace
}  // namespace glint::notebook
