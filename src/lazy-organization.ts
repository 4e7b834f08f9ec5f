import type {OrganizationReader} from './sync/organization-reader.ts';

/** A reader that is loaded by its first reading: most starts never look at the organization. */
export function lazyOrganization(load: () => Promise<OrganizationReader>): OrganizationReader {
	let loaded: Promise<OrganizationReader> | undefined;
	return {
		read(...what) {
			let isEnded = false;
			let stop: (() => void) | undefined;
			loaded ??= load();
			void loaded.then(reader => {
				if (!isEnded) stop = reader.read(...what);
			});
			return () => {
				isEnded = true;
				stop?.();
			};
		},
	};
}
