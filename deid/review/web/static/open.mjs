// The link was used. The proof stays with this origin, scheme and port included, unlike the cookie.
localStorage.setItem("proof", document.documentElement.dataset.proof);
location.replace("/");
