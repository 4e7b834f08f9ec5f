import type {ReactNode} from 'react';
import type {Lists} from '../../state/lists/lists.ts';
import type {Dialog} from '../../state/view/dialogs.ts';
import type {View} from '../../state/view/view.ts';
import type {KeyLayer} from '../input.ts';
import type {Layout} from '../layout.ts';
import type {AppParts} from '../use-app.ts';

export type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, {kind: Kind}>;

export type DialogProps<Kind extends Dialog['kind']> = {
	readonly dialog: DialogOf<Kind>;
	readonly layout: Layout;
	readonly lists: Lists;
	readonly view: View;
};

/** A kind of dialog: how to draw it and how it handles keys. */
export type DialogModule<Kind extends Dialog['kind']> = {
	readonly Component: (props: DialogProps<Kind>) => ReactNode;
	/** What its keys do while it is the top dialog. */
	readonly layer: (parts: AppParts, dialog: DialogOf<Kind>) => KeyLayer;
};

/** How long a new question ignores keys, ms: a key meant for the previous screen must not answer it. */
export const keyWait = 500;

/** How long a key that answers is watched, ms: a held one repeats before, and doesn't count. */
export const heldWait = 200;
