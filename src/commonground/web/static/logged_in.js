// Tell the tab whose session had ended that it can continue, and close this one.

const channel = new BroadcastChannel("commonground-login");
channel.postMessage("logged in");
channel.close();
window.close(); // works if that tab opened this one
