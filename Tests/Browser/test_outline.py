"""A screen reader hears the list, a row beside it and the forms as a person sees them."""

import textwrap
import unittest

import browser
from service import Service

#: Roles of boxes without a meaning.
SILENT = {"generic", "none", "InlineTextBox", "MenuListPopup", "group", "rowgroup", "form", "LabelText"}
#: Roles whose name is all that is read.
NAMED = {"button", "link", "disclosure", "caption", "textbox", "combobox"}
STATES = ("level", "expanded", "checked", "selected", "required", "invalid", "disabled", "live")
ATTRIBUTES = ("aria-sort", "aria-current", "aria-keyshortcuts")


class OutlineTests(browser.BrowserTests):
    # A browser that no screen reader asks does not name what is not seen.
    arguments = ("--force-renderer-accessibility",)

    def setUp(self):
        path = self.file("crew.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("id,name,age\n1,Ada,36\n2,Bea,\n3,Cy,51\n")
        service = Service(
            f"crew={path}", "--database", self.file(f"{self.id()}.sqlite"), "--allow-anonymous-writes",
        )
        self.base = service.__enter__().base
        self.addCleanup(service.__exit__)
        self.page = self.browser.page()
        self.addCleanup(self.page.context.close)
        self.session = self.page.context.new_cdp_session(self.page)

    def open(self, path):
        self.page.goto(self.base + path)
        self.page.wait_for_selector("#live:not([hidden])")
        self.session.send("Accessibility.enable")
        self.session.send("DOM.enable")

    def outline(self, selector):
        """The accessibility tree below an element: a role, a name and states in each line."""
        root = self.session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        found = self.session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        place = self.session.send("DOM.describeNode", {"nodeId": found})["node"]["backendNodeId"]
        nodes = {node["nodeId"]: node for node in self.session.send("Accessibility.getFullAXTree")["nodes"]}
        lines = []

        def walk(node, depth, heard):
            role = node.get("role", {}).get("value").replace("DisclosureTriangleGrouped", "disclosure")
            name, value = (node.get(key, {}).get("value", "") for key in ("name", "value"))
            states = self.states(node, role)
            is_read = not node.get("ignored") and (role not in SILENT or states)
            if role == "StaticText":
                lines.extend(["  " * depth + name.strip()] if name.strip() and name.strip() not in heard else [])
            elif is_read and (role != "option" or "selected" in states):
                words = [role] + [f"“{name.strip()}”"] * bool(name) + [f"[{', '.join(states)}]"] * bool(states)
                value = f": {value}" if value and role != "option" else ""
                lines.append("  " * depth + " ".join(words) + value)
                depth, heard = depth + 1, name
            for child in node.get("childIds", []) if role not in NAMED or role == "combobox" else []:
                walk(nodes[child], depth, heard) if child in nodes else None

        walk(next(node for node in nodes.values() if node.get("backendDOMNodeId") == place), 0, "")
        return "\n".join(lines)

    def states(self, node, role):
        """The states that a screen reader names."""
        states = []
        for state in node.get("properties", []):
            name, value = state["name"], state["value"].get("value")
            if name == "expanded" and role == "disclosure":
                states.append("expanded" if value else "collapsed")
            elif name in STATES and name != "expanded" and value not in (None, False, "false") and role != "listitem":
                states.append(name if value is True else f"{name} {value}")
        if role not in ("columnheader", "row", "link", "searchbox", "generic"):
            return states
        found = self.session.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]
        words = found.get("attributes", [])
        attributes = dict(zip(words[::2], words[1::2]))
        return states + [f"{key[5:]} {attributes[key]}" for key in ATTRIBUTES if key in attributes]

    def hears(self, selector, expected):
        self.assertEqual(self.outline(selector), textwrap.dedent(expected).strip())

    def test_list(self):
        self.open("/crew?sort=-age&limit=2")
        self.hears("main", """
            main
              heading “Crew” [level 1]
              paragraph
                3 rows
              Live
              link “Add”
              disclosure “Import” [collapsed]
              disclosure “Export” [collapsed]
              disclosure “More” [collapsed]
              navigation “View”
                search
                  searchbox “Search crew” [keyshortcuts /]
                  button “Search”
                disclosure “Filter” [collapsed]
                disclosure “Group” [collapsed]
                disclosure “Sort Age ↓” [collapsed]
                disclosure “Columns” [collapsed]
                disclosure “View” [collapsed]
              region “Crew, sorted by age, descending”
                grid “Crew, sorted by age, descending”
                  caption
                  row “Select all rows of the page Name Age ID”
                    columnheader “Select all rows of the page”
                      checkbox “Select all rows of the page”
                    columnheader “Name”
                      link “Name”
                      button “Menu of Name”
                    columnheader “Age” [sort descending]
                      link “Age”
                      button “Menu of Age”
                    columnheader “ID”
                      link “ID”
                      button “Menu of ID”
                  row “Select 3 Cy 51 3”
                    gridcell “Select 3”
                      checkbox “Select 3”
                    rowheader “Cy”
                      link “Cy”
                    gridcell “51”
                    gridcell “3”
                  row “Select 1 Ada 36 1”
                    gridcell “Select 1”
                      checkbox “Select 1”
                    rowheader “Ada”
                      link “Ada”
                    gridcell “36”
                    gridcell “1”
              navigation “Pages”
                1–2 of 3
                generic [disabled]
                  First
                generic [disabled]
                  Previous
                link “Next”
                link “Last”
              status [live polite]
        """)
        self.hears("header", """
            banner
              navigation “Breadcrumb”
                list
                  listitem
                    link “Lists”
                  listitem
                    generic [current page]
                      Crew
        """)

    def test_announces_what_a_search_finds(self):
        self.open("/crew")
        for words, heard in (("cy", "1 row"), ("nobody", "No row matches"), ("", "3 rows")):
            self.page.get_by_label("Search crew").fill(words)
            self.page.wait_for_function("words => document.querySelector('#status').textContent === words", arg=heard)
            self.hears("#status", f"status [live polite]\n  {heard}")

    def test_row_beside_the_list(self):
        self.open("/crew")
        self.page.locator("#list th[scope=row] a").nth(1).click()
        self.page.wait_for_selector("#panel .row")
        self.hears("#panel", """
            complementary “Bea”
              paragraph
                button “Previous row”
                button “Next row”
                button “Close”
              heading “Bea” [level 1]
              link “Edit”
              link “Delete”
              DescriptionList
                term “Name”
                definition
                  Bea
                term “Age”
                definition
                  none
                term “ID”
                definition
                  2
        """)
        self.hears("#list tbody", """
            row “Select 1 Ada 36 1”
              gridcell “Select 1”
                checkbox “Select 1”
              rowheader “Ada”
                link “Ada”
              gridcell “36”
              gridcell “1”
            row “Select 2 Bea – 2” [current true]
              gridcell “Select 2”
                checkbox “Select 2”
              rowheader “Bea”
                link “Bea”
              gridcell “–”
              gridcell “2”
            row “Select 3 Cy 51 3”
              gridcell “Select 3”
                checkbox “Select 3”
              rowheader “Cy”
                link “Cy”
              gridcell “51”
              gridcell “3”
        """)
        self.page.locator("#panel [data-act=edit]").click()
        self.page.wait_for_selector("#panel form")
        self.page.locator("#panel [name=age]").fill("x")
        self.page.locator("#panel .go").click()
        self.page.wait_for_selector("#panel [aria-invalid]")
        self.hears("#panel", """
            complementary “Edit Bea”
              paragraph
                button “Previous row”
                button “Next row”
                button “Close”
              heading “Edit Bea” [level 1]
              alert [live assertive]
                A value cannot be stored; nothing was written.
              DescriptionList
                term “Name”
                definition
                  textbox “Name”: Bea
                term “Age”
                definition
                  textbox “Age” [invalid true]: x
                  paragraph
                    This takes a whole number such as 42.
              paragraph
                button “Save”
                link “Cancel”
        """)

    def test_conditions(self):
        self.open("/crew?age__gte=40")
        self.page.locator("[data-key=f] > summary").click()
        self.hears("[data-key=f]", """
            disclosure “Filter 1” [expanded]
            combobox “Column”: Name
              option “Name” [selected]
            combobox “Condition”: contains
              option “contains” [selected]
            textbox “Value”
            combobox “Column”: – …
              option “– …” [selected]
            combobox “Conditions that must hold”: All of these
              option “All of these” [selected]
            paragraph
              button “Apply”
            Count values of
            combobox “Count values of”: ID
              option “ID” [selected]
            button “Apply”
            Statistics of
            combobox “Statistics of”: ID
              option “ID” [selected]
            button “Apply”
        """)
        self.page.keyboard.press("Escape")
        self.page.locator(".chip summary").click()
        self.hears(".chips", """
            list “Filters”
              listitem
                disclosure “Age at least 40” [expanded]
                Age
                combobox “Condition”: at least
                  option “at least” [selected]
                textbox “Value”: 40
                paragraph
                  button “Apply”
                link “Remove: Age at least 40”
        """)


if __name__ == "__main__":
    unittest.main()
