import type {Safe} from '../text/safe.ts';
import type {ActionContext} from './context.ts';
import {handOverFile} from './hand-over-file.ts';
import {notify} from './notify.ts';

/** Shows a text of any length in `$PAGER` (else less), which has the terminal meanwhile. */
export async function showInPager(context: ActionContext, text: Safe): Promise<void> {
	const pager = process.env.PAGER || 'less';
	// A short text stays until it is left, too, whatever less is told elsewhere; `$` ends a prompt or a command there.
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
