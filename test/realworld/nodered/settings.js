// Node-RED without a welcome tour, and without anything from the Internet.
module.exports = {
  uiHost: "127.0.0.1",
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, palette: { catalogues: [] } },
  externalModules: { autoInstall: false, palette: { allowInstall: false, allowUpdate: false } },
};
