"""A real Chromium, and what is asked of every page it shows."""

import os
import pathlib
import shutil
import tempfile
import unittest

import axe_playwright_python
from playwright.sync_api import sync_playwright

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
#: WCAG 2.2 AA and what axe calls best practices.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def program():
    """The path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """A running Chromium; use it in a with statement."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __enter__(self):
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path=program(), args=["--no-sandbox", "--disable-gpu", *self.arguments]
        )
        return self

    def __exit__(self, *_):
        self.chromium.close()
        self.playwright.stop()

    def page(self, width=1280, theme="light", script=True, **options):
        """An empty page in a window of its own."""
        options = {"color_scheme": theme, **options}
        context = self.chromium.new_context(
            viewport={"width": width, "height": 800},
            java_script_enabled=script,
            # The checks are put into pages, which the pages' own rules forbid.
            bypass_csp=True,
            **options,
        )
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on(
            "console",
            lambda message: page.errors.append(message.text)
            if message.type == "error" and "Failed to load resource" not in message.text
            else None,
        )
        return page


class BrowserTests(unittest.TestCase):
    """Tests that share a browser and a folder, both gone when the last of them has ended."""

    #: What the browser is told besides.
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(*cls.arguments).__enter__()
        cls.addClassCleanup(cls.browser.__exit__)
        folder = tempfile.TemporaryDirectory(prefix="roster-browser-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    @classmethod
    def file(cls, name):
        """The path of a file in the folder."""
        return os.path.join(cls.folder, name)

    @classmethod
    def serve(cls, service):
        """Starts a service that all tests ask."""
        cls.service = service.__enter__()
        cls.addClassCleanup(cls.service.__exit__)


def violations(page):
    """What axe finds wrong, a line each."""
    page.evaluate(AXE)
    found = page.evaluate(
        """async (rules) => {
            const result = await axe.run(document, {
                runOnly: { type: "tag", values: rules }, resultTypes: ["violations"],
            });
            return result.violations.flatMap((rule) => rule.nodes.map((node) =>
                `${rule.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`));
        }""",
        RULES,
    )
    return found


def overflow(page):
    """The elements that stick out of the window sideways, a line each."""
    return page.evaluate(
        """() => {
            const width = document.documentElement.clientWidth;
            const isFramed = (part) => part.closest(".wide, pre, .vh, .skip") !== null;
            return [...document.querySelectorAll("body *")]
                .filter((part) => {
                    const place = part.getBoundingClientRect();
                    return place.width > 0 && part.checkVisibility() && !isFramed(part)
                        && (place.right > width + 1 || place.left < -1);
                })
                .map((part) => part.outerHTML.slice(0, 120));
        }"""
    )


def small_targets(page):
    """The targets of less than 24 by 24 pixels (WCAG 2.2, 2.5.8), a line each."""
    return page.evaluate(
        """() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")]
            .filter((part) => part.checkVisibility() && !part.closest(".skip, .vh"))
            .map((part) => [part, part.getBoundingClientRect()])
            .filter(([, place]) => place.width > 0 && (place.width < 23.5 || place.height < 23.5))
            .map(([part, place]) => `${Math.round(place.width)}x${Math.round(place.height)} `
                + part.outerHTML.slice(0, 120))"""
    )


def shift(page):
    """How far the layout moved by itself while the page was loading (0 is not at all)."""
    return page.evaluate(
        """() => new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 100);
        })"""
    )
