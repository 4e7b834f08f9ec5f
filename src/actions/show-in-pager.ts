import type {Safe} from '../text/safe.ts';
import type {ActionContext} from './context.ts';
import {handOverFile} from './hand-over-file.ts';
import {notify} from './notify.ts';

/** Shows text of any length in `$PAGER` (default less), handing over the terminal. */
export async function showInPager(context: ActionContext, text: Safe): Promise<void> {
	const pager = process.env.PAGER || 'less';
	// Keeps a short text open until the user quits, whatever LESS says (`-+F`); `$` ends a prompt or command
	// in it.
	const env = {LESS: process.env.LESS ? `${process.env.LESS}$ -+F` : '-+F'};
	try {
		await handOverFile(context, pager, {text, name: 'message.md', env}, code => {
			if (code === 127)
				notify(context, 'bad', `The pager "${pager}" was not found: set PAGER to an installed pager`);
			else if (code === 126)
				notify(context, 'bad', `The pager "${pager}" can't be run: set PAGER to another one`);
		});
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		notify(context, 'bad', `The pager could not be opened: ${why}`);
	}
}
