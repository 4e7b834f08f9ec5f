import {openableLink} from '../text/messages/message-links.ts';
import type {ActionContext} from './context.ts';
import {programEnvironment} from './hand-over-file.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** Opens an address with the system's own program, only when the user asks for it. */
export async function openLink(context: ActionContext, address: string): Promise<void> {
	const url = openableLink(address);
	if (url === undefined) {
		notify(context, 'bad', strings.links.refused);
		return;
	}
	const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
	const {spawn} = await import('node:child_process');
	const child = spawn(program, [url], {stdio: 'ignore', detached: true, env: programEnvironment()});
	child.once('spawn', () => notify(context, 'good', strings.links.opening(url)));
	child.once('error', () => notify(context, 'bad', strings.links.notFound(program)));
	child.once('exit', code => {
		if (code !== 0 && code !== null) notify(context, 'bad', strings.links.failed(program, code));
	});
	// The browser may be started by it: it may outlive this program.
	child.unref();
}
