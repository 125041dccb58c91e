// The button that shows the typed passwords of its form; without scripts it stays hidden.

for (const button of document.querySelectorAll("button[data-show-password]")) {
  const { form } = button;
  const fields = [...form.querySelectorAll("input[type=password]")];
  const show = (shown) => {
    for (const field of fields) field.type = shown ? "text" : "password";
    button.textContent = `${shown ? "Hide" : "Show"} password${fields.length > 1 ? "s" : ""}`;
  };
  button.addEventListener("click", () => show(fields[0].type === "password"));
  // A browser offers to save what is in a password field, and a form that is used again starts hidden.
  for (const end of ["submit", "reset"]) form.addEventListener(end, () => show(false));
  show(false);
  button.hidden = false;
}
