// The link is used up. Unlike the cookie, the proof is bound to this origin, with scheme and port.
localStorage.setItem("proof", document.documentElement.dataset.proof);
location.replace("/");
