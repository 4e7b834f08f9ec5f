import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import {ComputersView} from '../computers/computers-view.tsx';
import type {Layout} from '../layout.ts';
import {LazyOrganization} from '../organization/lazy-organization.tsx';
import {WorkView} from '../work-view.tsx';
import {EventsView} from './events-view.tsx';

type Props = {readonly layout: Layout; readonly lists: Lists; readonly view: View};

/** The view on screen. Other views are unmounted, so they draw and request nothing. */
export function CurrentView(props: Props) {
	switch (props.view.page) {
		case 'work':
			return <WorkView {...props} />;
		case 'computers':
			return <ComputersView {...props} />;
		case 'events':
			return <EventsView {...props} />;
		default:
			return <LazyOrganization {...props} name={props.view.page} />;
	}
}
