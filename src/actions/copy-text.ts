import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** Copies text to the clipboard, only when the user asks for it, and shows what was copied (`what`) and how. */
export async function copyText(
	context: ActionContext,
	text: string,
	what = strings.copy.text,
): Promise<void> {
	if (text === '') {
		notify(context, 'info', strings.copy.empty);
		return;
	}
	const method = await context.copy(text);
	const size = strings.copy.size(text.length);
	if (method !== undefined) notify(context, 'good', strings.copy.copied(what, size, method));
	else notify(context, 'bad', strings.copy.tooLong(size));
}
