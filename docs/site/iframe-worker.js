// Search in pages opened from a disk: browsers refuse workers there, so a hidden frame does the work.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      window.addEventListener("message", (event) => {
        if (event.source === inside) this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      });
      inside.document.open();
      inside.document.write("<!doctype html><title>Search</title>");
      inside.document.close();
      inside.postMessage = (data) => window.postMessage(data, "*");
      inside.importScripts = (...scripts) => scripts.reduce(
        (before, script) => before.then(() => load(inside.document, script)), Promise.resolve());
      // What the worker posts must come from the frame, and what the page posts must reach it.
      inside.eval("const page = parent; window.postMessage = (data) => page.dispatchEvent("
        + "new MessageEvent('message', { data, source: window }));");
      load(inside.document, url).then(() => {
        this.ready = true;
        for (const data of this.waiting) this.pass(inside, data);
      });
      this.pass = (to, data) => to.dispatchEvent(new to.MessageEvent("message", { data }));
      this.postMessage = (data) => (this.ready ? this.pass(inside, data) : this.waiting.push(data));
    }
  };
  const load = (page, url) => new Promise((done, failed) => {
    const script = page.createElement("script");
    script.src = url;
    script.onload = done;
    script.onerror = failed;
    page.head.append(script);
  });
  window.Worker = window.IFrameWorker;
}
