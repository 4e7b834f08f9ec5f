import type {ReactNode} from 'react';
import type {FilterChoice} from '../domain/list-filter/complete-filter.ts';
import type {FilterProblem} from '../domain/list-filter/filter.ts';
import type {Lists} from '../state/lists/lists.ts';
import type {View} from '../state/view/view.ts';
import type {KeyContext} from './keys/key-contexts.ts';
import type {Move} from './kit/scroll.ts';
import type {Layout, Rect} from './layout.ts';
import type {AppParts} from './use-app.ts';

export type PageProps = {readonly layout: Layout; readonly lists: Lists; readonly view: View};

/** A view of the screen: how it is drawn, and what the keys do that all views have. */
export type ScreenPage = {
	/** Mounted while the view is on the screen: others draw and request nothing. */
	readonly Component: (props: PageProps) => ReactNode;
	/** The contexts of its keys, those of the focused pane first. */
	contexts(view: View): readonly KeyContext[];
	/** Moves in the focused pane. */
	scroll(parts: AppParts, lists: Lists, move: Move): void;
	/** Goes back one step; the last one leads to the Work view. */
	back(parts: AppParts, lists: Lists): void;
	/** Moves the focus to the next pane (`by` -1: the previous one). */
	nextPane?(parts: AppParts, lists: Lists, by: 1 | -1): void;
	/** The part before the divider between its panes, if there is one. */
	beforeDivider?(parts: AppParts, view: View, lists: Lists, layout: Layout): Rect | undefined;
	/** A filter with conditions; others take plain words. */
	readonly filter?: {
		choices(parts: AppParts, view: View, lists: Lists): FilterChoice[];
		problems(view: View, lists: Lists): readonly FilterProblem[];
		/** Numbers of rows that it hides, to be shown while it is typed. */
		hidden?(lists: Lists): Lists['hidden'];
	};
	/** The computer whose steps are on the screen. */
	computer?(parts: AppParts, view: View): {readonly id: string; readonly isFocused: boolean} | undefined;
};
