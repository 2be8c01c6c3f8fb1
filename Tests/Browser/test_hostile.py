"""What nobody should trust stays text: in cells, names of columns and lists, ids and addresses."""

import unittest
import urllib.parse

import browser
from service import HOSTILE, Service, write_hostile


class HostileTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path = cls.file("<img src=x onerror=alert(1)>.csv")
        write_hostile(path)
        cls.serve(Service(f"evil={path}"))

    def addresses(self):
        """Pages that show what is hostile, and pages whose address is."""
        rows = self.service.json("/evil.json")["sections"][0]["rows"]
        yield from ("/evil", "/evil?layout=grid", "/evil/-/schema", "/evil?sort=-id")
        for row in rows:
            yield row["links"]["self"]
        for text in HOSTILE:
            quoted = urllib.parse.quote(text, safe="")
            yield from (
                f"/evil?q={quoted}", f"/evil?sort={quoted}", f"/evil?{quoted}=1", f"/{quoted}",
                f"/evil/{quoted}", f"/evil/-/sections/{quoted}", f"/evil?after={quoted}",
            )

    def test_runs_nothing_and_adds_no_element(self):
        page = self.browser.page()
        for address in self.addresses():
            page.goto(self.service.base + address)
            found = page.evaluate(
                """() => ({
                    owned: document.title === "owned" || document.title === "1",
                    images: document.images.length,
                    headings: [...document.querySelectorAll("h1")].filter((one) => one.textContent === "owned").length,
                    scripts: [...document.scripts].filter((script) => !script.src).length,
                    handlers: [...document.querySelectorAll("*")].filter((part) =>
                        [...part.attributes].some((one) => one.name.startsWith("on"))).length,
                    links: [...document.querySelectorAll("[href], [src], [action]")].filter((part) =>
                        /^\\s*(javascript|data|vbscript):/i.test(part.getAttribute("href")
                            ?? part.getAttribute("src") ?? part.getAttribute("action"))).length,
                })"""
            )
            wanted = {"owned": False, "images": 0, "headings": 0, "scripts": 0, "handlers": 0, "links": 0}
            self.assertEqual(found, wanted, address)
            self.assertEqual(page.errors, [], address)
        page.context.close()

    def test_forbids_what_does_not_come_from_here(self):
        page = self.browser.chromium.new_page()
        answer = page.goto(self.service.base + "/evil")
        policy = answer.headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("script-src 'self'", policy)
        self.assertNotIn("unsafe", policy)
        page.close()


if __name__ == "__main__":
    unittest.main()
