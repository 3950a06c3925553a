// Sends what the user does. An answer that is no success is shown as an error of the page's own.

/** Sends an action to an address below the page. */
export async function send(address, action) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(action) };
  const response = await fetch(address, options).catch(() => {
    throw new Error("The arena does not answer.");
  });
  if (!response.ok) throw new Error((await response.text()).trim());
}
