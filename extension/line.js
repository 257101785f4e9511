// A WebSocket to the server. Each message is JSON.

// Refused is the error if the server refuses the connection. Status is an HTTP status, and reason a
// text that the popup shows.
export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// serverURL returns the WebSocket URL of the server on this machine.
export async function serverURL() {
  const {port} = await chrome.storage.local.get("port");
  return `ws://127.0.0.1:${port ?? (await installed()).port ?? 18799}/extension`;
}

// installed returns what chela wrote into its copy of the extension: the port, and the name of the
// program for native messaging. Both may be missing, and so may the file. A server that has another
// port writes the file again, so the file is read each time.
export function installed() {
  return fetch(chrome.runtime.getURL("host.json")).then((answer) => answer.json()).catch(() => ({}));
}

// dial opens a Line. It fails if the server does not answer within the milliseconds in limit.
export function dial(url, limit) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const late = setTimeout(() => socket.close(), limit);
    socket.onopen = () => {
      clearTimeout(late);
      resolve(new Line(socket));
    };
    socket.onclose = () => reject(new Error("chela does not answer"));
  });
}

// A Line delivers messages one by one: each call of next returns a message. As soon as take is set
// to a function, each message goes to that function instead.
export class Line {
  constructor(socket) {
    this.socket = socket;
    this.waiting = []; // messages that no call of next has returned yet
    this.take = null;
    this.wake = () => {};
    this.closed = new Promise((resolve) => {
      socket.onclose = (event) => {
        resolve(event);
        this.wake();
      };
    });
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (this.take) return this.take(message);
      this.waiting.push(message);
      this.wake();
    };
  }

  get open() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(message) {
    this.sendText(JSON.stringify(message));
  }

  sendText(text) {
    if (this.open) this.socket.send(text);
  }

  close() {
    this.socket.close();
  }

  // next returns the next message, and fails if it is of another kind.
  async next(kind) {
    while (!this.waiting.length) {
      if (!this.open) throw new Error("chela closed the connection");
      await new Promise((resolve) => (this.wake = resolve));
    }
    const message = this.waiting.shift();
    if (message.kind === "refused") throw new Refused(message.status, message.reason);
    if (message.kind !== kind) throw new Refused(400, `chela answered ${message.kind} and not ${kind}`);
    return message;
  }
}
