import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Copies text to the clipboard, only when the user asks for it, and shows what was copied (`what`) and how. */
export async function copyText(context: ActionContext, text: string, what = 'the text'): Promise<void> {
	if (text === '') {
		notify(context, 'info', 'There is no text to copy');
		return;
	}
	const method = await context.copy(text);
	const size = text.length === 1 ? '1 character' : `${text.length} characters`;
	if (method !== undefined) notify(context, 'good', `Copied ${what}, ${size}, with ${method}`);
	else notify(context, 'bad', `Not copied: ${size} is too long for the terminal's clipboard (OSC 52)`);
}
