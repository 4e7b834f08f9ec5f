// The floor of watching sessions: Node alone reads the newest messages of one session after the other, two a second.
const [url, sessions] = process.argv.slice(2);
let read = 0;
setInterval(async () => {
	const session = `session-${String(read++ % Number(sessions)).padStart(4, '0')}`;
	const response = await fetch(`${url}/api/v0/sessions/${session}/messages?limit=20`);
	await response.json();
}, 500);
