// What a sign-in page does where scripts run. Without them every form works as it is: the browser and the emulator check it.
"use strict";
{
  // What is wrong with a field, in the page's language; the emulator has the last word.
  const problem = field => {
    const { missing, least, most, length, wrong, same, differs } = field.dataset;
    const text = field.type === "password" ? field.value : field.value.trim();
    if (!text) return field.required ? missing : "";
    const size = [...text].length;
    if (length && (size < least || size > most)) return length;
    if (wrong && field.validity.patternMismatch) return wrong;
    return same && text !== document.getElementById(same).value ? differs : "";
  };

  const tell = (field, text) => {
    const id = field.id + "-error";
    let line = document.getElementById(id);
    const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(one => one && one !== id);
    if (!text) {
      line?.remove();
      field.removeAttribute("aria-invalid");
    } else {
      line ??= Object.assign(document.createElement("p"), { id, className: "error itemLevel show" });
      line.setAttribute("role", "alert");
      if (line.textContent !== text) line.textContent = text;
      field.closest(".field").append(line);
      field.setAttribute("aria-invalid", "true");
      others.push(id);
    }
    if (others.length) field.setAttribute("aria-describedby", others.join(" "));
    else field.removeAttribute("aria-describedby");
  };

  const watch = form => {
    const fields = [...form.querySelectorAll(".field input:not([readonly]), .field select")];
    // The page says what is wrong in its own language and its own place.
    form.noValidate = true;
    form.addEventListener("input", ({ target }) => {
      if (target.getAttribute("aria-invalid") && !problem(target)) tell(target, "");
    });
    form.addEventListener("submit", event => {
      // A second click while the first one is on its way.
      if (form.dataset.sent) return event.preventDefault();
      if (!event.submitter?.formNoValidate) {
        for (const field of fields) tell(field, problem(field));
        const first = fields.find(field => field.getAttribute("aria-invalid"));
        if (first) {
          event.preventDefault();
          document.title = document.querySelector("main").dataset.errorTitle;
          return first.focus();
        }
      }
      for (const secret of form.querySelectorAll(".secret input")) secret.type = "password";
      form.dataset.sent = "yes";
      form.setAttribute("aria-busy", "true");
      // A redirect into an application of its own scheme leaves the page where it is.
      setTimeout(release, 4000);
    });
    const release = () => {
      delete form.dataset.sent;
      form.removeAttribute("aria-busy");
    };
    // Somebody came back to the page as it was.
    addEventListener("pageshow", release);
  };

  const reveal = button => {
    const field = document.getElementById(button.getAttribute("aria-controls"));
    button.hidden = false;
    button.addEventListener("click", () => {
      const shows = field.type === "password";
      field.type = shows ? "text" : "password";
      for (const [part, key] of [[button.firstElementChild, "show"], [button.lastElementChild, "name"]])
        [part.textContent, button.dataset[key]] = [button.dataset[key], part.textContent];
    });
  };

  document.querySelector("form.onward")?.requestSubmit();
  document.querySelectorAll("form.asks").forEach(watch);
  document.querySelectorAll(".reveal").forEach(reveal);
}
