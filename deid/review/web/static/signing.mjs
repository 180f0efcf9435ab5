// The end of a review: what is open, the statement, and the signature.
import { $, ask, element } from "./page.mjs";

export async function showSigning() {
  show(await ask("/api/signing"));
  $("signing").showModal();
}

function show(told) {
  const form = $("signature").elements;
  $("signing-result").textContent = told.sentence;
  $("signing-open").replaceChildren(...told.open.map((point) => element("li", {}, point)));
  $("statement").textContent = told.statement;
  $("signature").hidden = $("sign").hidden = told.open.length > 0;
  for (const one of [form.name, form.title, form.agreed, $("sign")]) one.disabled = Boolean(told.signed);
  if (told.signed) {
    const { name, title, at } = told.signed;
    Object.assign(form.name, { value: name });
    Object.assign(form.title, { value: title });
    form.agreed.checked = true;
    $("signing-said").textContent = `Signed by ${name}, ${at.replace("T", " ").replace("+00:00", " UTC")}. The evidence is written.`;
  }
}

async function sign(event) {
  event.preventDefault();
  const { name, title, agreed } = $("signature").elements;
  try {
    show(await ask("/api/sign", { name: name.value, title: title.value, agreed: agreed.checked }));
  } catch (error) {
    $("signing-said").textContent = `Refused: ${error.message}.`;
  }
}

export function wireSigning() {
  $("signature").addEventListener("submit", sign);
  $("signing-close").addEventListener("click", () => $("signing").close());
}
