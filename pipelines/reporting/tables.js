// Rich tables can be sorted by a column and filtered by a word; without this they stand as they are.
for (const table of document.querySelectorAll("table.rich")) {
  const body = table.tBodies[0];
  const field = document.createElement("input");
  field.className = "filter";
  field.type = "search";
  field.placeholder = "filter";
  field.setAttribute("aria-label", "filter the rows of the table below");
  field.addEventListener("input", () => {
    const word = field.value.toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(word);
  });
  table.before(field);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    let up = false;
    head.tabIndex = 0;
    const sort = () => {
      up = !up;
      const key = (row) => row.cells[column].textContent;
      const number = (text) => Number(text.replace(/,/g, ""));
      const compare = (a, b) =>
        Number.isNaN(number(a)) || Number.isNaN(number(b)) ? a.localeCompare(b) : number(a) - number(b);
      const rows = [...body.rows].sort((a, b) => compare(key(a), key(b)) * (up ? 1 : -1));
      body.append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
}
