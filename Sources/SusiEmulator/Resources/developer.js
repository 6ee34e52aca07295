// What the developer's page does where scripts run: it copies, folds, and keeps the outbox and the requests up to date.
"use strict";
{
  const status = document.getElementById("status");

  const copy = async button => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = "";
      status.textContent = "Copied";
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    } catch {
      // A browser that does not let pages write there: the text is marked, and a key copies it.
      const folded = source.closest("details");
      if (folded) folded.open = true;
      getSelection().selectAllChildren(source);
      status.textContent = "The text is selected. Copy it with the keyboard.";
    }
  };

  const showButtons = () => document.querySelectorAll("button.copy[hidden]").forEach(button => (button.hidden = false));

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button.copy");
    if (button) copy(button);
  });
  showButtons();

  // A narrow window begins with the first part alone; the part that the address names is open.
  const sections = [...document.querySelectorAll("details.fold")];
  if (matchMedia("(max-width: 40rem)").matches) for (const section of sections.slice(1)) section.open = false;
  const unfold = () => {
    const section = sections.find(one => "#" + one.id === location.hash);
    if (!section) return;
    section.open = true;
    section.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Only what is new comes in, and only what has gone goes: whatever has the keyboard or is marked stays where it is.
  const merge = (list, fresh) => {
    const keys = new Set([...fresh.children].map(item => item.dataset.key));
    for (const item of [...list.children])
      if (!keys.has(item.dataset.key) && !item.contains(document.activeElement)) item.remove();
    const have = new Set([...list.children].map(item => item.dataset.key));
    const added = [...fresh.children].filter(item => !have.has(item.dataset.key));
    list.prepend(...added);
    return added;
  };

  const toggle = document.getElementById("live");
  if (toggle) {
    let isPaused = false;
    let isAsking = false;
    const news = async () => {
      if (isPaused || isAsking || document.hidden) return;
      isAsking = true;
      try {
        const answer = await fetch(toggle.dataset.news, { signal: AbortSignal.timeout(5000) });
        if (!answer.ok || isPaused) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const fresh of page.querySelectorAll("[data-live]")) {
          const added = merge(document.getElementById(fresh.id), fresh);
          const told = fresh.dataset.live === "tell" && added[0]?.querySelector(".told");
          if (told) status.textContent = told.textContent;
        }
        showButtons();
      } catch {
        // The emulator has stopped, or starts again: the next question finds out.
      } finally {
        isAsking = false;
      }
    };
    const state = document.getElementById("live-state");
    const say = () => {
      toggle.textContent = isPaused ? "Resume" : "Pause";
      state.textContent = isPaused ? "Updates are paused." : "Updates every 2 seconds.";
    };
    toggle.hidden = false;
    say();
    toggle.addEventListener("click", () => {
      isPaused = !isPaused;
      say();
      news();
    });
    setInterval(news, 2000);
    document.addEventListener("visibilitychange", news);
  }
}
