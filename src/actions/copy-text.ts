import type {ActionContext} from './context.ts';
import {tell} from './tell.ts';

/** Puts text on the clipboard, by the user's own key only. */
export function copyText(context: ActionContext, text: string): void {
	if (text === '') tell(context, 'info', 'There is no text to copy');
	else if (context.copy(text)) tell(context, 'good', `Copied ${text.length} characters`);
	else tell(context, 'bad', 'This terminal takes no text for the clipboard (OSC 52), or not so much');
}
