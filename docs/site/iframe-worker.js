// Runs workers in hidden frames on pages of the local disk, where browsers allow no workers: the
// search of the manual needs one.  Pages of a server keep the browser's own workers.
class FrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    const inside = this.frame.contentDocument;
    const script = new URL(url, document.baseURI).href;
    this.onFrameMessage = (event) => {
      if (event.source !== this.frame.contentWindow) return;
      this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      this.onmessage?.(event);
    };
    addEventListener("message", this.onFrameMessage);
    inside.open();
    inside.write(`<body><script>
      postMessage = (data) => parent.postMessage(data, "*");
      importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done) => {
        const script = document.createElement("script");
        script.src = url;
        script.onload = done;
        document.body.append(script);
      })), Promise.resolve());
    <\/script><script src="${script}"><\/script>`);
    inside.close();
    this.ready = new Promise((done) => this.frame.contentWindow.addEventListener("load", done));
  }

  postMessage(data) {
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
  }

  terminate() {
    removeEventListener("message", this.onFrameMessage);
    this.frame.remove();
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
