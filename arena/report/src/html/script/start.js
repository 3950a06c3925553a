// Until the section that the page's address names is shown, no other one is. A classic script before all sections. The head
// of a match's page is small from the start.

if (location.hash !== "") document.documentElement.classList.add("is-starting");
if (location.hash.startsWith("#match=")) document.body.dataset.view = "match";
