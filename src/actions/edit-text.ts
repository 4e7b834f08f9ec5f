import {promises as files} from 'node:fs';
import type {ActionContext} from './context.ts';
import {handOverFile} from './hand-over-file.ts';
import {notify} from './notify.ts';

/**
 * Opens text in `$VISUAL` or `$EDITOR` (default vi), handing over the terminal. Resolves to the saved text,
 * or undefined if the editor failed; the text is unchanged then.
 */
export async function editText(context: ActionContext, text: string): Promise<string | undefined> {
	const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
	try {
		return await handOverFile(context, editor, {text, name: 'message.md'}, async (code, file) => {
			if (code === 0) return restored(text, await files.readFile(file, 'utf8'));
			const why = code === 127 ? 'was not found: set EDITOR to an installed editor' : 'exited with an error';
			notify(context, 'bad', `The editor "${editor}" ${why}. Your text is unchanged`);
			return undefined;
		});
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		notify(context, 'bad', `The editor could not be opened: ${why}. Your text is unchanged`);
		return undefined;
	}
}

/** Removes the final line feed that editors add, unless the text already had one. */
function restored(before: string, after: string): string {
	return after.endsWith('\n') && !before.endsWith('\n') ? after.slice(0, -1) : after;
}
